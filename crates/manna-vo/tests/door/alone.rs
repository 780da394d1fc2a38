//! What costs neither threads nor memory, each measured in a process of its own: no other test's threads and
//! buffers in it, and room for 1,000 sockets.

use std::process::Command;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::io::AsyncWriteExt;

use super::bodies::{MIB, PLAIN, endless};
use super::server::Server;

const ALONE: &str = "MANNA_DOOR_ALONE";

/// Runs `work` in a copy of this program that runs the test `name` and nothing else.
fn alone(name: &str, work: impl Future<Output = ()>) {
    if std::env::var_os(ALONE).is_some() {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        return runtime
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap()
            .block_on(work);
    }
    let output = Command::new("sh")
        .args([
            "-c",
            "ulimit -n 4096; exec \"$0\" --exact \"$1\" --nocapture",
        ])
        .arg(std::env::current_exe().unwrap())
        .arg(name)
        .env(ALONE, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    let passed = output.status.success() && text.contains("1 passed");
    assert!(
        passed,
        "{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn five_hundred_stalled_answers_add_no_thread() {
    alone("alone::five_hundred_stalled_answers_add_no_thread", async {
        let server = Server::start(|_, mut stream| async move {
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<VOTABLE>")
                .await
                .ok()?;
            tokio::time::sleep(Duration::from_secs(60)).await;
            Some(stream)
        })
        .await;
        let door = server.door_with(|limits| limits.total = Duration::from_secs(9));
        let before = threads();
        let mut answers = join_all((0..500).map(|_| server.get(&door))).await;
        let stalled = answers.iter_mut().map(|answer| async {
            let answer = answer.as_mut().unwrap();
            assert_eq!(&answer.chunk().await.unwrap().unwrap()[..], b"<VOTABLE>");
            answer.chunk().await
        });
        let watch = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            threads()
        };
        let (outcomes, during) = tokio::join!(join_all(stalled), watch);
        println!("threads: {before} before, {during} during 500 stalled answers");
        assert!(outcomes.iter().all(Result::is_err));
        assert_eq!(during, before);
    });
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
fn nothing_is_read_ahead_of_a_caller_who_pauses() {
    alone(
        "alone::nothing_is_read_ahead_of_a_caller_who_pauses",
        async {
            let (server, _) = endless(PLAIN, vec![b'x'; 64 << 10]).await;
            let door = server.door();
            let mut answer = server.get(&door).await.unwrap();
            answer.chunk().await.unwrap().unwrap();
            let before = resident_bytes();
            tokio::time::sleep(Duration::from_secs(1)).await;
            let grown = resident_bytes().saturating_sub(before);
            println!("a pausing caller: {grown} bytes more after 1 s");
            assert!(grown < MIB, "{grown} bytes while nobody reads");
        },
    );
}

fn resident_bytes() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}
