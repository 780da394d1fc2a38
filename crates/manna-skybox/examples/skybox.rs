//! Serves the archive until Ctrl-C: `cargo run -p manna-skybox --example skybox -- [PORT]`.

use std::{error::Error, net::Ipv4Addr, time::Instant};

use manna_skybox::{Config, Skybox};

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example for the terminal")]
async fn main() -> Result<(), Box<dyn Error>> {
    let port = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 8321,
    };
    let began = Instant::now();
    let running = Skybox::start(Config {
        addr: (Ipv4Addr::LOCALHOST, port).into(),
        ..Config::default()
    })
    .await?;
    println!("TAP     {}", running.tap_url());
    println!("Sesame  {}", running.sesame_url());
    println!("ready after {:?}; stop with Ctrl-C", began.elapsed());
    tokio::signal::ctrl_c().await?;
    running.shutdown().await;
    Ok(())
}
