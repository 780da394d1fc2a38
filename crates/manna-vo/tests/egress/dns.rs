//! A name server that answers from the world, with a TTL of 0, over UDP and TCP (RFC 1035 section 4).

use std::net::IpAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, UdpSocket};

use super::world::{State, World};

/// Where it listens; local in the namespace, as every address is.
pub(crate) const ADDRESS: &str = "10.255.255.53";

/// Every name below this one has a public address.
pub(crate) const TRAP: &str = "trap.example.net";

const A: u16 = 1;
const CNAME: u16 = 5;
const AAAA: u16 = 28;

/// The longest answer that goes over UDP (the usual EDNS size).
const UDP_BYTES: usize = 1232;

pub(crate) async fn serve(world: World) {
    let udp = UdpSocket::bind((ADDRESS, 53)).await.unwrap();
    let tcp = TcpListener::bind((ADDRESS, 53)).await.unwrap();
    tokio::spawn(serve_tcp(tcp, world.clone()));
    tokio::spawn(async move {
        let mut question = [0; 1500];
        loop {
            let (length, from) = udp.recv_from(&mut question).await.unwrap();
            let Some(answer) = answer(&question[..length], &mut world.lock(), true) else {
                continue;
            };
            udp.send_to(&answer, from).await.unwrap();
        }
    });
}

async fn serve_tcp(listener: TcpListener, world: World) {
    loop {
        let (mut stream, _) = listener.accept().await.unwrap();
        let world = world.clone();
        tokio::spawn(async move {
            while let Ok(length) = stream.read_u16().await {
                let mut question = vec![0; length.into()];
                if stream.read_exact(&mut question).await.is_err() {
                    return;
                }
                let Some(answer) = answer(&question, &mut world.lock(), false) else {
                    return;
                };
                let framed = [
                    &u16::try_from(answer.len()).unwrap().to_be_bytes()[..],
                    &answer,
                ]
                .concat();
                if stream.write_all(&framed).await.is_err() {
                    return;
                }
            }
        });
    }
}

fn answer(question: &[u8], state: &mut State, is_udp: bool) -> Option<Vec<u8>> {
    if state.is_dns_silent {
        return None;
    }
    let (name, end) = read_name(question)?;
    let kind = u16::from_be_bytes([*question.get(end)?, *question.get(end + 1)?]);
    let question_section = question.get(12..end + 4)?;
    let (known, records) = records(&name, kind, state, is_udp);
    let mut answer = question[..2].to_vec();
    let code: u8 = if known { 0 } else { 3 };
    answer.extend([0x81, 0x80 | code, 0, 1]);
    answer.extend(u16::try_from(records.len()).unwrap().to_be_bytes());
    answer.extend([0, 0, 0, 0]);
    answer.extend(question_section);
    for record in &records {
        answer.extend(record);
    }
    if is_udp && answer.len() > UDP_BYTES {
        // Truncated: ask again over TCP.
        answer.truncate(12 + question_section.len());
        answer[2] |= 0x02;
        answer[6..8].fill(0);
    }
    Some(answer)
}

/// The records for a question, and whether the name exists at all.
fn records(name: &str, kind: u16, state: &mut State, is_first: bool) -> (bool, Vec<Vec<u8>>) {
    let asked = state.asked.entry((name.to_owned(), kind)).or_default();
    // A question that is asked again over TCP is the same question.
    *asked += usize::from(is_first);
    let turn = asked.saturating_sub(1);
    if name.ends_with(TRAP) {
        return (true, vec![record(&[0xc0, 12], A, &[93, 184, 216, 66])]);
    }
    let Some(lists) = state.names.get(name) else {
        return (false, Vec::new());
    };
    let addresses = lists
        .get(turn)
        .or(lists.last())
        .cloned()
        .unwrap_or_default();
    let mut records = Vec::new();
    let mut owner = vec![0xc0, 12];
    if let Some((from, to)) = &state.cname
        && from == name
    {
        records.push(record(&owner, CNAME, &write_name(to)));
        owner = write_name(to);
    }
    records.extend(
        addresses
            .iter()
            .filter_map(|address| match (address, kind) {
                (IpAddr::V4(address), A) => Some(record(&owner, A, &address.octets())),
                (IpAddr::V6(address), AAAA) => Some(record(&owner, AAAA, &address.octets())),
                _ => None,
            }),
    );
    (true, records)
}

fn record(owner: &[u8], kind: u16, data: &[u8]) -> Vec<u8> {
    let mut record = owner.to_vec();
    record.extend(kind.to_be_bytes());
    record.extend([0, 1, 0, 0, 0, 0]);
    record.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
    record.extend(data);
    record
}

fn write_name(name: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for label in name.split('.') {
        out.push(u8::try_from(label.len()).unwrap());
        out.extend(label.as_bytes());
    }
    out.push(0);
    out
}

/// The name of the first question, lower case, and where it ends.
fn read_name(message: &[u8]) -> Option<(String, usize)> {
    let mut labels = Vec::new();
    let mut at = 12;
    loop {
        let length = usize::from(*message.get(at)?);
        at += 1;
        if length == 0 {
            return Some((labels.join("."), at));
        }
        let label = message.get(at..at + length)?;
        labels.push(String::from_utf8_lossy(label).to_ascii_lowercase());
        at += length;
    }
}
