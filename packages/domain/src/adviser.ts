import type { Advise } from './kernel/advice.ts'
import * as visibility from './visibility.ts'

/** Advice on refusals, loaded with the first one: it knows the rules of every feature. */
export const adviser = async (): Promise<Advise> => (await import('./guidance/advise.ts')).adviser(visibility)
