//! The day by which deadlines are judged and deeds are dated, and whether the machine's clock can be believed.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;

use super::Refusal;
use crate::domain::clock::days::Moment;
use crate::domain::clock::trust::Distrust;
use crate::io::store::Store;

/// The day by which deadlines are judged.
pub struct Day {
    /// The instant.
    pub now: DateTime<Utc>,
    /// The player's place.
    pub zone: Tz,
    /// Why it is not known, if so.
    pub distrust: Option<Distrust>,
}

impl Day {
    /// The player's day at `now`, or at the instant he names, which is not doubted.
    ///
    /// # Errors
    /// [`Refusal::Store`].
    pub async fn of(
        store: &mut Store,
        zone: Tz,
        now: DateTime<Utc>,
        named: Option<DateTime<Utc>>,
    ) -> Result<Day, Refusal> {
        let distrust = match named {
            Some(_) => None,
            None => store.clock_doubt(now).await?,
        };
        Ok(Day { now: named.unwrap_or(now), zone, distrust })
    }

    /// The day in the player's own place, whether it is believed or not.
    pub fn date(&self) -> NaiveDate {
        self.now.with_timezone(&self.zone).date_naive()
    }

    /// The same with its instant, for rules that count hours.
    pub fn moment(&self) -> Moment {
        Moment::of(self.now.with_timezone(&self.zone).fixed_offset())
    }

    /// The same, if it is believed.
    pub fn now(&self) -> Option<Moment> {
        self.distrust.is_none().then(|| self.moment())
    }

    /// The day, if it is believed.
    pub fn today(&self) -> Option<NaiveDate> {
        self.distrust.is_none().then(|| self.date())
    }

    /// The day by which something is dated for good.
    ///
    /// # Errors
    /// Why the clock is not believed.
    pub fn believed(&self) -> Result<NaiveDate, Refusal> {
        match self.distrust {
            None => Ok(self.date()),
            Some(why) => Err(Refusal::NotDone(format!(
                "{why}\nhelp: nothing was done, since it would get a wrong day; {}",
                why.help()
            ))),
        }
    }

    /// A line that says why no deadline is judged; empty where they are.
    pub fn doubt(&self) -> String {
        let doubt = doubted(self.distrust);
        if doubt.is_empty() { doubt } else { format!("{doubt}to look at a day in spite of it, say --at INSTANT\n") }
    }
}

/// That no deadline is judged, why, and what to do; empty where they are.
pub fn doubted(distrust: Option<Distrust>) -> String {
    distrust.map_or_else(String::new, |why| format!("NO DEADLINE IS JUDGED: {why}\nhelp: {}\n", why.help()))
}
