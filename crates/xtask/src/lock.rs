//! One build of this folder at a time: modules, page and packages are written to places that every task shares.
//!
//! The system frees the lock when its process ends, however it ends.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::process::{Fault, root, step};

const PLACE: &str = ".state/build.lock";

/// Whether this process builds already: a build is made of builds.
static HELD: AtomicBool = AtomicBool::new(false);

/// The right to build, until it is dropped.
#[must_use = "the right ends where it is dropped"]
pub struct Building(Option<File>);

/// Waits until nobody else builds in this folder, and says so.
pub fn building() -> Result<Building, Fault> {
    hold(&root().join(PLACE))
}

fn hold(place: &Path) -> Result<Building, Fault> {
    if HELD.load(Ordering::Relaxed) {
        return Ok(Building(None));
    }
    let file = take(place, || step("Another task builds in this folder: waiting until it is done"))?;
    HELD.store(true, Ordering::Relaxed);
    Ok(Building(Some(file)))
}

impl Drop for Building {
    fn drop(&mut self) {
        if self.0.is_some() {
            HELD.store(false, Ordering::Relaxed);
        }
    }
}

/// The locked file; `waits` is told before somebody else's lock is waited for.
fn take(place: &Path, waits: impl FnOnce()) -> Result<File, Fault> {
    if let Some(dir) = place.parent() {
        std::fs::create_dir_all(dir)?;
    }
    let file = File::options().create(true).truncate(false).write(true).open(place)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            waits();
            file.lock()?;
        }
        Err(TryLockError::Error(error)) => return Err(error.into()),
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::mpsc::channel;

    use super::{hold, take};

    fn place(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("holdpoint-{name}-{}/build.lock", std::process::id()))
    }

    #[test]
    fn the_second_says_that_it_waits_and_goes_on_when_the_first_is_done() {
        let place = place("two");
        let first = take(&place, || panic!("nobody builds")).unwrap();
        let (tell, told) = channel();
        let second = std::thread::spawn({
            let place = place.clone();
            move || {
                let file = take(&place, || tell.send("waits").unwrap()).unwrap();
                tell.send("builds").unwrap();
                drop(file);
            }
        });
        assert_eq!(told.recv(), Ok("waits"));
        assert!(told.try_recv().is_err(), "the first still builds");
        drop(first);
        assert_eq!(told.recv(), Ok("builds"));
        second.join().unwrap();
        std::fs::remove_dir_all(place.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_build_of_builds_waits_for_nobody() {
        let place = place("nested");
        let outer = hold(&place).unwrap();
        drop(hold(&place).unwrap());
        assert!(hold(&place).unwrap().0.is_none(), "the outer one holds still");
        drop(outer);
        assert!(hold(&place).unwrap().0.is_some());
        std::fs::remove_dir_all(place.parent().unwrap()).unwrap();
    }
}
