import { features, parseInput } from '@specboard/contract'
import { resolveBase } from '../../kernel/access/base.ts'
import type { Caller } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Service } from '../../kernel/service/service.ts'

const operation = features.me.get_my_permissions

/** A caller that does not exist: the content of the answer does not matter, only that there is one. */
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
 * Runs a small operation like any other call: input, permissions, database, answer (walls 2).
 * @returns the unexpected error, if any; undefined if the operation was answered or refused
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
