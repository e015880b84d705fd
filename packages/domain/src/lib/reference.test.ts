import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { freeKey, keyStem, numberOf, parseKey, parseReference } from './reference.ts'

describe('the stem of a key (work 1)', () => {
  test.each([
    ['a single word gives three characters', 'Specboard', 'SPE'],
    ['or as many as it has', 'Go', 'GO'],
    ['two words give two', 'web shop', 'WS'],
    ['three words give three', 'The web shop', 'TWS'],
    ['four words give four', 'A team of four', 'ATOF'],
    ['a fifth word does not count', 'One of five words here', 'OOFW'],
    ['words end at anything but letters and digits', 'web-shop/checkout_2', 'WSC2'],
    ['and at a letter beyond ASCII', 'Büro', 'BR'],
    ['digits inside count', 'web 2 shop', 'W2S'],
    ['digits of a single word count behind a letter', 'k8s', 'K8S'],
    ['leading digits are cut', '2024roadmap', 'ROA'],
    ['also where they are words', '2024 12 web shop', 'WS'],
    ['also where they begin the first of several words', '3D print farm', 'DPF'],
    ['one letter is too few', 'X', 'BRD'],
    ['digits alone are too few', '2024 12', 'BRD'],
    ['one letter behind digits is too few', '7x', 'BRD'],
    ['no ASCII letter is too few', 'Проект', 'BRD'],
    ['nothing is too few', '', 'BRD'],
  ])('%s: %s', (_, name, stem) => expect(keyStem(name)).toBe(stem))

  test('is a key for every name', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), name => /^[A-Z][A-Z0-9]{1,3}$/.test(keyStem(name))))
  })
})

describe('a free key (work 1)', () => {
  test.each([
    ['the stem alone', [], 'SPE'],
    ['from 2', ['SPE'], 'SPE2'],
    ['the lowest', ['SPE', 'SPE2', 'SPE4'], 'SPE3'],
    ['the stem again, once it is free', ['SPE2', 'SPE3'], 'SPE'],
  ])('%s', (_, existing, key) => expect(freeKey('SPE', new Set(existing))).toBe(key))
})

describe('a reference', () => {
  test.each([
    ['SPE-14', { key: 'SPE', number: 14 }],
    ['spe-14', { key: 'SPE', number: 14 }],
    ['k8S-1', { key: 'K8S', number: 1 }],
    ['ABCDEFGHIJ-999999999999999', { key: 'ABCDEFGHIJ', number: 999_999_999_999_999 }],
    ['ABCDEFGHIJK-1', undefined],
    ['S-1', undefined],
    ['2S-1', undefined],
    ['SPE-0', undefined],
    ['SPE-01', undefined],
    ['SPE--1', undefined],
    ['SPE-1.5', undefined],
    ['SPE-9999999999999999', undefined],
    ['SPE', undefined],
    [' SPE-1', undefined],
    ['SPE-1\n', undefined],
    ['SPE-1-2', undefined],
    ['', undefined],
  ])('%j is %j', (text, parts) => expect(parseReference(text)).toEqual(parts))

  test('is never a UUID', () => {
    fc.assert(fc.property(fc.uuid(), id => parseReference(id) === undefined && parseKey(id) === undefined))
  })

  test('ends in its number', () => expect(numberOf('SPE2-14')).toBe(14))
})

test.each([
  ['SPE', 'SPE'],
  ['spe2', 'SPE2'],
  ['S', undefined],
  ['2SP', undefined],
  ['ABCDEFGHIJK', undefined],
  ['SPE-1', undefined],
])('the key %j is %j', (text, key) => expect(parseKey(text)).toBe(key))
