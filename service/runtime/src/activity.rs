//! What happens on a connection: how many calls are open, when the last one ended, and whether data
//! waits for a peer that does not read it. Time is counted in ticks of the connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// For this many ticks data may wait, and one more that has just begun.
pub(crate) const PATIENCE: u32 = 3;
const SLOTS: usize = PATIENCE as usize + 2;

#[derive(Debug, Default)]
pub(crate) struct Activity {
    tick: AtomicU32,
    /// Calls whose response is not complete.
    calls: AtomicU32,
    /// The tick when a call last began or ended.
    last: AtomicU32,
    /// Responses that wait to be sent, by the tick since which they do.
    waiting: [AtomicU32; SLOTS],
}

impl Activity {
    fn now(&self) -> u32 {
        self.tick.load(Ordering::Relaxed)
    }

    fn slot(&self, tick: u32) -> &AtomicU32 {
        &self.waiting[tick as usize % SLOTS]
    }

    /// The time goes on. False if a response waits for longer than it may.
    pub(crate) fn tick(&self) -> bool {
        let now = self.tick.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        // The next slot is the oldest.
        self.slot(now.wrapping_add(1)).load(Ordering::Relaxed) == 0
    }

    /// Ticks since the last call ended; none while one is open.
    pub(crate) fn idle(&self) -> Option<u32> {
        let is_idle = self.calls.load(Ordering::Relaxed) == 0;
        is_idle.then(|| self.now().wrapping_sub(self.last.load(Ordering::Relaxed)))
    }
}

/// A call, from its request to the end of its response.
#[derive(Debug)]
pub(crate) struct OpenCall(Arc<Activity>);

impl OpenCall {
    pub(crate) fn begin(activity: &Arc<Activity>) -> Self {
        activity.calls.fetch_add(1, Ordering::Relaxed);
        activity.last.store(activity.now(), Ordering::Relaxed);
        Self(Arc::clone(activity))
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        self.0.last.store(self.0.now(), Ordering::Relaxed);
        self.0.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A response, which from time to time waits to be sent.
#[derive(Debug)]
pub(crate) struct Waiting {
    call: OpenCall,
    since: Option<u32>,
}

impl Waiting {
    /// A new response waits until the transport first asks for its body.
    pub(crate) fn new(call: OpenCall) -> Self {
        let mut waiting = Self { call, since: None };
        waiting.begin();
        waiting
    }

    pub(crate) fn begin(&mut self) {
        self.end();
        let activity = &self.call.0;
        let now = activity.now();
        activity.slot(now).fetch_add(1, Ordering::Relaxed);
        self.since = Some(now);
    }

    pub(crate) fn end(&mut self) {
        if let Some(since) = self.since.take() {
            self.call.0.slot(since).fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_may_wait_for_three_whole_ticks() {
        let activity = Arc::new(Activity::default());
        let waiting = Waiting::new(OpenCall::begin(&activity));
        assert_eq!((0..4).map(|_| activity.tick()).collect::<Vec<_>>(), [true, true, true, false]);
        drop(waiting);
        assert!((0..20).all(|_| activity.tick()));
    }

    #[test]
    fn a_response_that_is_sent_now_and_then_does_not_wait() {
        let activity = Arc::new(Activity::default());
        let mut waiting = Waiting::new(OpenCall::begin(&activity));
        for _ in 0..20 {
            assert!(activity.tick() && activity.tick());
            waiting.end();
            waiting.begin();
        }
        waiting.end();
        assert!((0..20).all(|_| activity.tick()), "a stream without news waits for nothing");
    }

    #[test]
    fn a_connection_is_idle_when_no_call_is_open() {
        let activity = Arc::new(Activity::default());
        activity.tick();
        assert_eq!(activity.idle(), Some(1));
        let call = OpenCall::begin(&activity);
        activity.tick();
        assert_eq!(activity.idle(), None);
        drop(call);
        assert_eq!(activity.idle(), Some(0));
        activity.tick();
        assert_eq!(activity.idle(), Some(1));
    }
}
