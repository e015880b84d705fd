/** The lines of JSON Lines files. */
import type { InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import { inPieces } from '../in-pieces.ts'
import { maxLineLength } from '../limits.ts'
import { eachLine } from '../markdown.ts'
import type { Entry, SourcePlace } from '../neutral.ts'
import { excerptOf, isObject } from './issue.ts'

/** An object in a line. */
export interface Line {
  readonly value: Record<string, unknown>
  readonly place: SourcePlace
}

/** The objects of a file; lines without one are reported (imports 1). */
export function* linesIn(file: Entry, collected: Collection): InPieces<Line[]> {
  const lines: Line[] = []
  let number = 0
  yield* inPieces(eachLine(collected.textOf(file, 'any') ?? ''), text => {
    const place = { entry: file.name, line: ++number }
    if (text.trim() === '') return
    const value = text.length > maxLineLength ? undefined : parsed(text)
    if (isObject(value)) lines.push({ value, place })
    else collected.notRead({ place }, faultOf(text, value))
  })
  return lines
}

function faultOf(text: string, value: unknown): string {
  if (text.length > maxLineLength) return `The line is longer than ${maxLineLength} characters.`
  return value === undefined
    ? `The line is not JSON: ${excerptOf(text)}`
    : `The line is not an object: ${excerptOf(value)}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
