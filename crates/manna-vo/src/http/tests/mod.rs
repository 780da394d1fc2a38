//! The door's judgement, as tables of cases. What it does on sockets is in `tests/`.

use super::{Door, Settings};

mod addresses;
mod bodies;
mod redirects;
mod settings;
mod shared_cases;
mod urls;

fn door() -> Door {
    door_with(|_| {})
}

fn door_with(change: impl FnOnce(&mut Settings)) -> Door {
    let mut settings = Settings::default();
    change(&mut settings);
    Door::new(settings).expect("settings of a test")
}
