import type { Fit, FormatFindings } from './format.ts'
import { formats } from './formats.ts'
import {
  Ambiguous,
  type ImportFormat,
  importFormats,
  type ReadOptions,
  type Source,
  type SourcePlace,
  Unreadable,
} from './neutral.ts'
import { refusalOf } from './refusal.ts'

interface ChosenEntry {
  readonly name: ImportFormat
  readonly fit: Fit
}

const isChosen = (looked: FormatFindings): looked is { name: ImportFormat; found: Fit } => looked.found.verdict !== 'no'

/**
 * The format of a source, and its location (imports 2): a certain match wins; if a format was named, a possible one
 * suffices.
 * @throws Unreadable if none matches
 * @throws Ambiguous if several match, or none is certain
 */
export function chosen(format: ImportFormat | undefined, source: Source, options: ReadOptions): ChosenEntry {
  const looked = lookedAt(format === undefined ? importFormats : [format], source, options)
  const fits = looked.filter(isChosen).map(({ name, found }) => ({ name, fit: found }))
  const sure = fits.filter(({ fit }) => fit.verdict === 'sure')
  const [only, ...others] = sure.length > 0 || format === undefined ? sure : fits
  if (only !== undefined && others.length === 0) return only
  if (fits.length > 0) throw ambiguous(sure.length > 0 ? sure : fits, format)
  const near = format === undefined ? looked : lookedAt(importFormats, source, options)
  throw new Unreadable(refusalOf(source, format, near), placeOf(looked))
}

const lookedAt = (names: readonly ImportFormat[], source: Source, options: ReadOptions): FormatFindings[] =>
  names.flatMap(name => formats[name].look(source, options).map(found => ({ name, found })))

/** The location of the only near match, if there is only one. */
function placeOf(looked: readonly FormatFindings[]): SourcePlace {
  const misses = looked.flatMap(({ found }) => (found.verdict === 'no' ? [found] : []))
  const [at = null, ...others] = new Set(misses.map(miss => miss.at))
  const [line = null] = misses.flatMap(miss => miss.line ?? [])
  return others.length > 0 ? { entry: null, line: null } : { entry: at, line }
}

function ambiguous(fits: readonly ChosenEntry[], format: ImportFormat | undefined): Ambiguous {
  const candidates = fits.map(({ name, fit: { at, verdict, reason } }) => ({ format: name, at, verdict, reason }))
  const descriptions = candidates.map(
    ({ format, at, reason }) => `${format}${at === null ? '' : ` at ${at}`} (${reason})`,
  )
  const isOneFormat = new Set(candidates.map(fit => fit.format)).size === 1
  const next =
    format === undefined && !isOneFormat
      ? 'Name the format that is meant: query format, --format on the command line.'
      : candidates.length === 1
        ? `If it is meant, name it: format=${candidates[0]!.format}, --format ${candidates[0]!.format} on the command line.`
        : 'Import only the intended one: give its path.'
  const problem = candidates.length === 1 ? 'It is not clear what this is' : 'This could be read in more than one way'
  return new Ambiguous(`${problem}: ${descriptions.join('; ')}. ${next}`, candidates)
}

/** The format of a source, detected from its content; null if it is ambiguous. For tests. */
export const detectFormat = (source: Source, options: ReadOptions = {}): ImportFormat | null => {
  try {
    return chosen(undefined, source, options).name
  } catch (error) {
    if (error instanceof Unreadable || error instanceof Ambiguous) return null
    throw error
  }
}
