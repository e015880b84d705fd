import { dayHere } from '../../components/typed-day.ts'
import { dates } from '../../messages/format.ts'

const clock = { hour: 'numeric', minute: '2-digit' } as const
const onSameDay = dates(clock)
const inSameWeek = dates({ weekday: 'short', ...clock })
const onOtherDay = dates({ day: 'numeric', month: 'short', ...clock })

/** A future time, as short as is unambiguous: 3:15 PM; Tue 9:00 AM; 12 Jan, 9:00 AM. */
export function futureTime(at: Date, now: Date): string {
  const weekLater = new Date(now)
  weekLater.setDate(weekLater.getDate() + 6)
  if (dayHere(at) === dayHere(now)) return onSameDay.format(at)
  return (dayHere(at) <= dayHere(weekLater) ? inSameWeek : onOtherDay).format(at)
}
