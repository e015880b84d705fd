import { type RefObject, useEffect, useState } from 'react'

/** How large an element is, px. */
interface Room {
  readonly width: number
  readonly height: number
}

/** The inner size of an element, updated as it changes; 0 until it is measured. */
export function useRoom(element: RefObject<HTMLElement | null>): Room {
  const [room, setRoom] = useState<Room>({ width: 0, height: 0 })
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect
      setRoom({ width: Math.floor(width), height: Math.floor(height) })
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return room
}

/** The width of an element, px, updated as it changes; 0 until it is known. */
export const useWidth = (element: RefObject<HTMLElement | null>): number => useRoom(element).width

/** Round step sizes. */
const niceSteps = [1, 2, 5]

/** The approximate number of grid lines. */
const lines = 4

/** The ticks of a scale from 0 to at least the maximum, in round steps. */
export function ticksTo(max: number): readonly number[] {
  const rough = Math.max(1, max) / lines
  const power = 10 ** Math.max(0, Math.floor(Math.log10(rough)))
  const step = (niceSteps.find(nice => nice * power >= rough) ?? 10) * power
  return Array.from({ length: Math.ceil(Math.max(1, max) / step) + 1 }, (_, place) => place * step)
}

/** The minimum width of a label on the axis of days, px. */
export const wordRoom = 52

/** Whether the label at an index of an axis is shown, so that labels do not overlap; the last one always is. */
export const isLabelled = (place: number, count: number, width: number): boolean =>
  (count - 1 - place) % Math.max(1, Math.ceil((wordRoom * count) / Math.max(1, width))) === 0

/** The units of a time scale, with the hours in each and the number of hours from which it is used. */
const units = [
  { unit: 'days', hours: 24, from: 72 },
  { unit: 'hours', hours: 1, from: 2 },
  { unit: 'minutes', hours: 1 / 60, from: 0 },
] as const

/** A time scale up to a number of hours: its ticks in whole days, hours or minutes, and the hours in one unit. */
export function timeTicksTo(max: number) {
  const { unit, hours } = units.find(({ from }) => max >= from) ?? units[2]
  return { unit, hours, ticks: ticksTo(max / hours) }
}
