import { z } from 'zod'

/** Maximum elements of an array in a body, unless its section gives another limit (trust 1). */
export const maxElements = 500

/** Maximum ids of an operation on many records at once (trust 1). */
export const maxIds = 1_000

/** An array in a body. */
export const list = <Element extends z.ZodType>(element: Element) => z.array(element).max(maxElements)

/** Ids of many records. */
export const manyIds = () => z.array(z.string()).max(maxIds)
