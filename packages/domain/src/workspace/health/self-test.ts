import { features, parseInput } from '@specboard/contract'
import { resolveBase } from '../../kernel/access/base.ts'
import type { Caller } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Service } from '../../kernel/service/service.ts'

const operation = features.me.get_my_permissions

/** Nobody that is there: what it is answered does not count, only that it is. */
const nobody: Caller = {
  id: '00000000-0000-0000-0000-000000000000',
  name: 'self-test',
  kind: 'service',
  via: 'service',
  present: false,
  presetId: null,
  flags: null,
  base: resolveBase({}, null),
}

/**
 * Runs a small operation the way that every call goes: input, rights, database, answer (walls 2).
 * @returns what went wrong unexpectedly; undefined where the operation was answered or refused
 */
export async function selfTest(service: Pick<Service, 'perform'>): Promise<unknown> {
  try {
    const parsed = parseInput(operation, { params: {}, query: {}, body: undefined })
    if (!parsed.ok) throw new Error(`The input of ${operation.name} was refused.`)
    const { body } = await service.perform({ operation, input: parsed.input, caller: nobody })
    JSON.stringify(body)
    return undefined
  } catch (error) {
    return error instanceof DomainError ? undefined : error
  }
}
