//! Many answers that stall at the same time cost sockets and no threads.

use std::process::Command;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::io::AsyncWriteExt;

use super::server::Server;

const INSIDE: &str = "MANNA_DOOR_MANY_INSIDE";

/// Runs in a process of its own: no other test's threads, and room for 1,000 sockets.
#[test]
fn five_hundred_stalled_answers_add_no_thread() {
    if std::env::var_os(INSIDE).is_some() {
        return stall();
    }
    let output = Command::new("sh")
        .args(["-c", "ulimit -n 4096; exec \"$0\" --exact many::five_hundred_stalled_answers_add_no_thread --nocapture"])
        .arg(std::env::current_exe().unwrap())
        .env(INSIDE, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    assert!(
        output.status.success(),
        "{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn stall() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let server = Server::start(|_, mut stream| async move {
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<VOTABLE>")
                .await
                .ok()?;
            tokio::time::sleep(Duration::from_secs(60)).await;
            Some(stream)
        })
        .await;
        let door = server.door_with(|limits| limits.total = Duration::from_secs(8));
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
