import { readFileSync } from 'node:fs'
import { unusableFile } from '../frame/failure.ts'
import { UsageError } from '../frame/usage-error.ts'

/** A command line of `specboard call`, taken apart. */
export interface CallLine {
  readonly operation: string | undefined
  /** Every `--name value`, in order. */
  readonly flags: readonly (readonly [name: string, value: string | true])[]
}

/**
 * Parses the words of `specboard call`: an operation, and flags, each followed by its value; a flag followed by another
 * flag, or at the end, has no value.
 * @throws UsageError for a second word that belongs to no flag
 */
export function callLine(words: readonly string[]): CallLine {
  let operation: string | undefined
  const flags: (readonly [string, string | true])[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!isFlag(word)) {
      if (operation !== undefined) throw new UsageError(`"${word}" belongs to no flag. Write --name value.`)
      operation = word
      continue
    }
    const [, name = '', value] = /^--?([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? []
    const next = words[at + 1]
    if (value !== undefined) flags.push([name, value])
    else if (next === undefined || isFlag(next)) flags.push([name, true])
    else {
      flags.push([name, next])
      at++
    }
  }
  return { operation, flags }
}

/** A negative number is a value, and so is `-`, standard input. */
const isFlag = (word: string): boolean => /^--?[a-z]/i.test(word)

/**
 * The arguments given by `--data`: JSON, the file after `@`, or standard input for `-`.
 * @throws UsageError when that is not a JSON object; Failure for a file that cannot be read
 */
export function dataOf(text: string): Readonly<Record<string, unknown>> {
  const source = text === '-' ? readFileSync(0, 'utf8') : text.startsWith('@') ? textIn(text.slice(1)) : text
  try {
    const data: unknown = JSON.parse(source)
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Record<string, unknown>
  } catch {}
  throw new UsageError('--data must be a JSON object with the arguments: JSON itself, @file, or - for standard input.')
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw unusableFile(file, 'read', error)
  }
}
