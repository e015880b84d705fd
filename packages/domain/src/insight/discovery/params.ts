import { invalid } from '../../kernel/errors.ts'
import type { Intent, Params } from './intents.ts'

/**
 * The parameters of a question out of those that were sent, trimmed; others are left out.
 * @throws DomainError VALIDATION_ERROR with `missing`, required ones that are absent, blank or no text
 */
export function paramsFor(intent: Pick<Intent, 'name' | 'params'>, sent: Readonly<Record<string, unknown>>): Params {
  const given = intent.params.flatMap(({ name }) => {
    const value = sent[name]
    const text = typeof value === 'string' ? value.trim() : ''
    return text === '' ? [] : [[name, text] as const]
  })
  const params = Object.fromEntries(given)
  const missing = intent.params.filter(({ name, hidden }) => !hidden && !(name in params)).map(({ name }) => name)
  if (missing.length === 0) return params
  throw invalid('params', `${intent.name} needs ${missing.join(', ')} in params, as text.`, { missing })
}
