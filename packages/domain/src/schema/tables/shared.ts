/** What columns of several subjects share. */
import type { ActorVia as ActorViaSchema, PrincipalKind as PrincipalKindSchema } from '@specboard/contract'
import type { z } from 'zod'
import { flag, nullable, oneOf } from '../columns.ts'

/** The kind of a principal. */
export type PrincipalKind = z.output<typeof PrincipalKindSchema>

/** The channel through which an actor came. */
export type ActorVia = z.output<typeof ActorViaSchema>

/** The kind of record that a question, a knowledge item or a snapshot belongs to. */
export type OwnerType = 'ideation' | 'refinement' | 'spec' | 'card'

/** Who submitted a validation, besides the id. */
export const submitted = {
  actor_type: oneOf<PrincipalKind>(),
  actor_via: nullable(oneOf<ActorVia>()),
  /** Whether it was a present person. */
  present: flag,
}
