/** A time until which the menu offers to snooze an item. */
export interface SnoozeTime {
  readonly name: 'later' | 'tomorrow' | 'week'
  readonly at: Date
}

/** The hour at which a day of work begins. */
const morning = 9

/** How long "later today" is, and the hour from which it is too late for that. */
const laterHours = 3
const evening = 18

/** The morning of the day that is a given number of days after another. */
function morningAfter(now: Date, days: number): Date {
  const at = new Date(now)
  at.setDate(at.getDate() + days)
  at.setHours(morning, 0, 0, 0)
  return at
}

/** The morning of a chosen day; for today, later today. */
export function morningOf(midnight: Date, now: Date): Date {
  const at = morningAfter(midnight, 0)
  return at > now ? at : laterThan(now)
}

/** Some hours later, rounded to a quarter of an hour. */
function laterThan(now: Date): Date {
  const at = new Date(now)
  at.setHours(at.getHours() + laterHours, Math.ceil(at.getMinutes() / 15) * 15, 0, 0)
  return at
}

/** The current choices: later today if it is not too late, tomorrow morning, and next Monday morning. */
export function snoozeTimes(now: Date): readonly SnoozeTime[] {
  const toMonday = (8 - now.getDay()) % 7 || 7
  const later: SnoozeTime = { name: 'later', at: laterThan(now) }
  return [
    ...(later.at.getDate() === now.getDate() && now.getHours() < evening ? [later] : []),
    { name: 'tomorrow', at: morningAfter(now, 1) },
    ...(toMonday === 1 ? [] : [{ name: 'week', at: morningAfter(now, toMonday) } as const]),
  ]
}
