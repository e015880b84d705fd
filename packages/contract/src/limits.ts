import { z } from 'zod'

/** The most elements of an array in a body, unless its section gives another (trust 1). */
export const mostElements = 500

/** The most ids of an operation on many records at once (trust 1). */
export const mostIds = 1_000

/** An array as bodies take it. */
export const list = <Element extends z.ZodType>(element: Element) => z.array(element).max(mostElements)

/** Ids of many records. */
export const manyIds = () => z.array(z.string()).max(mostIds)
