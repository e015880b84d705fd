import { useSyncExternalStore } from 'react'
import { dates } from '../messages/format.ts'
import { locale } from '../messages/language.ts'
import { messages } from '../messages/messages.ts'

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** The narrow style reads well in English ("3m ago"), but not in other languages ("vor 3 m"). */
const style = locale.startsWith('en') ? 'narrow' : 'short'
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style })
const exact = dates({ dateStyle: 'medium', timeStyle: 'short' })
const day = dates({ day: 'numeric', month: 'short' })
const clock = dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** A relative time: "3 hours ago". */
export function relativeTime(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1_000
  const unit = units.find(([, length]) => Math.abs(seconds) >= length)
  return unit === undefined ? messages.shell.ago.now : relative.format(Math.round(seconds / unit[1]), unit[0])
}

/** How long something has lasted, in its largest unit: "24 min", "3 h". */
export function lasting(since: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000))
  const { lasting: says } = messages.shell
  if (minutes < 60) return says.minutes(minutes)
  return minutes < 2_880 ? says.hours(Math.floor(minutes / 60)) : says.days(Math.floor(minutes / 1_440))
}

/** Maximum number of formatted times that are cached. */
const maxKept = 5_000

/** Formats times, caching each: a board formats the same ones each time it is filtered. */
function cachedFormatter(format: Intl.DateTimeFormat): (at: string) => string {
  const cache = new Map<string, string>()
  return at => {
    let text = cache.get(at)
    if (text === undefined) {
      text = format.format(new Date(at))
      if (cache.size >= maxKept) cache.clear()
      cache.set(at, text)
    }
    return text
  }
}

export const exactTime = cachedFormatter(exact)
export const dayOf = cachedFormatter(day)
export const clockOf = cachedFormatter(clock)

let now = Date.now()
const listeners = new Set<() => void>()
setInterval(() => {
  now = Date.now()
  for (const listener of listeners) listener()
}, 30_000)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The current time, updated every half minute. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)

/** A relative time, with the exact one in the tooltip. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactTime(at)}>
    {relativeTime(at, useNow())}
  </time>
)
