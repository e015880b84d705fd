import { excerpt } from './excerpt.ts'

/** The most characters of a name in a message. */
const mostCharacters = 60

/** The name of an agent in messages: quoted, in one line, and shortened (crew 9.8). */
export const quotedName = (name: string): string =>
  `"${excerpt(name.replaceAll(/[\s"]+/gu, ' ').trim(), mostCharacters)}"`
