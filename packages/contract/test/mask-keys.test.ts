import { expect, test } from 'vitest'
import { maskKeys } from '../src/mod.ts'

const key = `dash_${'0123456789abcdef'.repeat(3)}`

test.each([
  [key, 'dash_01234567…'],
  [`/api/v1/${key}/boards?x=${key}`, '/api/v1/dash_01234567…/boards?x=dash_01234567…'],
  ['dash_0123 and dash_board', 'dash_0123 and dash_board'],
  ['nothing here', 'nothing here'],
])('%s', (text, masked) => expect(maskKeys(text)).toBe(masked))
