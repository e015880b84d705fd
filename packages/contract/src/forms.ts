/**
 * The formats that our own checks require of a value: `ctx.format` of a 422 names the one that a value violates, so
 * that pages can describe it in their language (general, Errors).
 */
export const forms = {
  not_blank: 'must not be only white space',
  board_key: 'must be a capital letter, then capital letters and digits',
  handle: 'must be lower-case letters, digits, dots, underscores and hyphens, with a letter or digit at both ends',
  time_of_day: 'must be a time of day, such as 08:00',
  variable_name: 'must be the name of an environment variable, never the key',
  event_action: 'must be an event action, or the start of one followed by *',
  repository_path: 'must be a path in the repository, without / at its start and without ..',
  web_address: 'must be an http or https address',
  commit_hash: 'must be 40 or 64 lower-case hexadecimal digits',
  datetime: 'must be an ISO 8601 date or date-time',
} as const

export type Form = keyof typeof forms

/** The forms of patterns, by pattern: zod reports only the pattern. */
const named = new Map<string, Form>()

/** The error that a check by a function reports. */
export const inForm = (form: Form) => ({
  error: forms[form],
  params: { type: 'value_error', ctx: { format: form } },
})

/** The arguments of a check by a pattern. */
export function matching(form: Form, pattern: RegExp): [pattern: RegExp, params: { error: string }] {
  named.set(String(pattern), form)
  return [pattern, { error: forms[form] }]
}

/** The form of a pattern; undefined if the pattern has no name. */
export const formOf = (pattern: string | undefined): Form | undefined =>
  pattern === undefined ? undefined : named.get(pattern)
