import { type features, MeasuredType } from '@specboard/contract'
import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { oneOf } from '../../kernel/one-of.ts'
import { cardEntity } from './entities/card.ts'
import { ideationEntity } from './entities/ideation.ts'
import { refinementEntity } from './entities/refinement.ts'
import { specEntity } from './entities/spec.ts'
import { sprintEntity } from './entities/sprint.ts'
import type { Measurement } from './with-refs.ts'

const entities = {
  spec: specEntity,
  ideation: ideationEntity,
  refinement: refinementEntity,
  card: cardEntity,
  sprint: sprintEntity,
} as const satisfies Record<z.infer<typeof MeasuredType>, (ctx: Context, id: string) => Promise<object>>

/** The path parameters of an entity's analytics. */
export interface EntityPath {
  readonly board_id: string
  readonly entity_type: string
  readonly entity_id: string
}

/**
 * The figures of one record of a board, archived or not (B.13).
 * @throws DomainError VALIDATION_ERROR for another type; NOT_FOUND when the board has no such record
 */
export async function measureEntity(ctx: Context, { entity_type, entity_id }: EntityPath) {
  const type = oneOf('entity_type', MeasuredType.options, entity_type)
  const { record } = await ctx.reach(type, entity_id)
  if (record.board_id !== ctx.boardId) throw notFound(type, entity_id)
  return entities[type](ctx, entity_id)
}

/** get_entity_analytics (B.13). */
export const entityAnalytics: Measurement<(typeof features.analytics)['get_entity_analytics']> = ({ params }, ctx) =>
  measureEntity(ctx, params)
