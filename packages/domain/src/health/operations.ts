import { features } from '@specboard/contract'
import { sql } from 'kysely'
import { type Implementation, implement } from '../implement.ts'

type Health = typeof features.health

const getHealth: Implementation<Health['get_health']> = async (_, ctx) => {
  await sql`select 1`.execute(ctx.db)
  return { status: 'healthy', version: ctx.environment.version }
}

export const healthOperations = implement(features.health, { get_health: getHealth })
