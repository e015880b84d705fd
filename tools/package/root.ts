import { fileURLToPath } from 'node:url'

/** The root of the clone. */
export const root = fileURLToPath(new URL('../../', import.meta.url))
