//! A wait that goes on while the machine sleeps: what became due meanwhile is due at once when it wakes.
//!
//! What will surprise you: the runtime's own timers stand still while the machine sleeps. So does this one outside Linux.

use std::time::Duration;

/// Waits for so long, sleep of the machine included.
pub async fn wait(time: Duration) {
    #[cfg(target_os = "linux")]
    if by_the_machine(time).await.is_ok() {
        return;
    }
    tokio::time::sleep(time).await;
}

/// The same by the clock that the kernel never stops (`CLOCK_BOOTTIME`, timerfd_create(2)).
#[cfg(target_os = "linux")]
#[allow(deprecated, reason = "the successor is unsafe, for what may change its descriptor; an `OwnedFd` keeps it")]
async fn by_the_machine(time: Duration) -> std::io::Result<()> {
    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
    };
    use tokio::io::Interest;
    use tokio::io::unix::AsyncFd;

    // no time at all would put the timer off for ever
    let time = Timespec::try_from(time.max(Duration::from_nanos(1))).map_err(std::io::Error::other)?;
    let timer = timerfd_create(TimerfdClockId::Boottime, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
    let once = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value: time };
    timerfd_settime(&timer, TimerfdTimerFlags::empty(), &once)?;
    AsyncFd::with_interest(timer, Interest::READABLE)?.readable().await.map(drop)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_kernel_gives_the_timer_and_it_ends() {
        for time in [Duration::ZERO, Duration::from_millis(5)] {
            by_the_machine(time).await.unwrap();
        }
    }
}
