/** Masks what a command's output must not reveal (evidence 11). */
import { maskKeys } from '@specboard/contract/mask-keys'

const secretNames = ['KEY', 'TOKEN', 'SECRET', 'PASSWORD', 'PASSWD', 'CREDENTIAL'] as const

/** The shortest value of a variable that counts as a secret. */
const shortestSecret = 6

/**
 * A text without keys, and without the values of variables whose names suggest secrets; `also` lists further values to
 * mask.
 */
export function withoutSecrets(text: string, also: readonly string[] = []): string {
  const values = Object.entries(process.env).flatMap(([name, value = '']) =>
    value.length >= shortestSecret && secretNames.some(part => name.toUpperCase().includes(part)) ? [value] : [],
  )
  return maskKeys([...values, ...also].reduce((masked, value) => masked.replaceAll(value, '***'), text))
}
