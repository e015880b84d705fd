import { excerpt } from './excerpt.ts'

/** Maximum number of characters of a name in a message. */
const maxCharacters = 60

/** The name of an agent in messages: quoted, in one line, and shortened (crew 9.8). */
export const quotedName = (name: string): string =>
  `"${excerpt(name.replaceAll(/[\s"]+/gu, ' ').trim(), maxCharacters)}"`
