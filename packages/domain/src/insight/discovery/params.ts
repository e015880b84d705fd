import { invalid } from '../../kernel/errors.ts'
import type { Intent, Params } from './intents.ts'

/**
 * The arguments for a question out of those sent, trimmed; others are ignored.
 * @throws DomainError VALIDATION_ERROR with `missing`: the required parameters that are absent, blank or not a string
 */
export function paramsFor(intent: Pick<Intent, 'name' | 'params'>, values: Readonly<Record<string, unknown>>): Params {
  const entries = intent.params.flatMap(({ name }) => {
    const value = values[name]
    const text = typeof value === 'string' ? value.trim() : ''
    return text === '' ? [] : [[name, text] as const]
  })
  const params = Object.fromEntries(entries)
  const missing = intent.params
    .filter(({ name, hidden }) => !hidden && !Object.hasOwn(params, name))
    .map(({ name }) => name)
  if (missing.length === 0) return params
  throw invalid('params', `${intent.name} needs ${missing.join(', ')} in params, as text.`, { missing })
}
