import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type ReportedCase, reportLimits, UnreadableReport } from './case.ts'
import { readReport } from './read-report.ts'

const folder = new URL('samples/', import.meta.url)

const bytesOf = (name: string): Uint8Array => readFileSync(new URL(name, folder))

interface Expected {
  readonly cases?: number
  readonly passed?: number
  readonly failed?: number
  readonly skipped?: number
  readonly flaky?: number
  readonly reason?: string
}

const { files }: { readonly files: Readonly<Record<string, Expected>> } = JSON.parse(
  readFileSync(new URL('expected.json', folder), 'utf8'),
)

const severity = { passed: 0, skipped: 1, failed: 2 } as const

/** Each address once, with the worst result reported for it. */
function worst(cases: readonly ReportedCase[]): ReportedCase[] {
  const byAddress = new Map<string, ReportedCase>()
  for (const testCase of cases) {
    const address = testCase.parts.join('::')
    const other = byAddress.get(address)
    if (other === undefined || severity[testCase.status] > severity[other.status]) byAddress.set(address, testCase)
  }
  return [...byAddress.values()]
}

const read = (text: string, format?: Parameters<typeof readReport>[1]) =>
  readReport(Buffer.from(text), format, reportLimits.cases).cases

const fault = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    if (error instanceof UnreadableReport) return [error.reason, error.line]
    throw error
  }
  return undefined
}

test.each(Object.entries(files))('%s is read as agreed (evidence 2)', (name, { reason, ...counts }) => {
  const run = () => readReport(bytesOf(name), undefined, reportLimits.cases).cases
  if (reason !== undefined) return expect(fault(run)?.[0]).toBe(reason)
  const cases = worst(run())
  const count = (status: string) => cases.filter(testCase => testCase.status === status).length
  expect({
    cases: cases.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    flaky: cases.filter(({ flaky }) => flaky).length,
  }).toMatchObject(
    Object.fromEntries(
      Object.entries(counts).filter(([key]) => key in { cases: 0, passed: 0, failed: 0, skipped: 0, flaky: 0 }),
    ),
  )
})

test('every sample has an expectation', () => {
  expect(
    readdirSync(folder)
      .filter(name => name !== 'expected.json')
      .sort(),
  ).toEqual(Object.keys(files).sort())
})

describe('JUnit', () => {
  test('a page in the output of a test is no document type', () => {
    const text =
      '<testsuite name="a"><testcase name="b"/><system-out><![CDATA[<!DOCTYPE html>]]></system-out></testsuite>'
    expect(read(text)).toHaveLength(1)
  })

  test('a suite that failed itself is a failed case by its name', () => {
    const [found] = read('<testsuite name="a"><error message="setup"/></testsuite>')
    expect(found).toMatchObject({ name: 'a', status: 'failed', message: 'setup' })
  })

  test('failures that the root names too are told once', () => {
    const text =
      '<testsuites failures="2"><testsuite name="a" failures="2"><testcase name="b"/></testsuite></testsuites>'
    expect(read(text).map(({ status }) => status)).toEqual(['passed', 'failed'])
  })

  test('a property names scenarios in its value or in its text (evidence 3, rule 3)', () => {
    const property = (text: string) =>
      read(`<testsuite><testcase name="a"><properties>${text}</properties></testcase></testsuite>`)[0]?.tags
    expect(property('<property name="specboard" value="SPE-3/S1"/>')).toEqual(['SPE-3/S1'])
    expect(property('<property name="specboard"> SPE-3/S1 <![CDATA[SPE-3/S2]]></property>')).toEqual([
      ' SPE-3/S1 SPE-3/S2',
    ])
    expect(property('<property name="other">SPE-3/S1</property>')).toEqual([])
  })

  test('that declares UTF-16 and is written in UTF-8, as .NET writes strings, is read', () => {
    expect(read('<?xml version="1.0" encoding="utf-16"?><testsuite><testcase name="ä"/></testsuite>')).toMatchObject([
      { name: 'ä', status: 'passed' },
    ])
  })

  test('failure wins over skipped', () => {
    const [found] = read('<testsuite><testcase name="a"><skipped/><failure/></testcase></testsuite>')
    expect(found?.status).toBe('failed')
  })
})

describe('TAP', () => {
  test('a stream that gave up has a failed case', () => {
    expect(read('1..3\nok 1 - a\nBail out! no database\n').map(({ name, status }) => [name, status])).toEqual([
      ['a', 'passed'],
      ['Bail out!', 'failed'],
    ])
  })

  test('a subtest that failed without a failed test is told', () => {
    const text = '# Subtest: a\n    ok 1 - b\n    1..1\nnot ok 1 - a\n1..1\n'
    expect(read(text).map(({ parts, status }) => [parts.join('::'), status])).toEqual([
      ['a::b', 'passed'],
      ['a', 'failed'],
    ])
  })
})

test('a file without a line of the format that was named is of no known format (evidence 2, rule 2)', () => {
  const [page, prose] = ['<testsuite name="a"><testcase name="b"/></testsuite>', 'no such command\n']
  for (const format of ['tap', 'go'] as const) {
    expect(fault(() => read(page, format))?.[0]).toBe('unknown_format')
    expect(fault(() => read(prose, format))?.[0]).toBe('unknown_format')
  }
  expect(fault(() => read('TAP version 14\n'))?.[0]).toBe('cut')
  expect(read('TAP version 14\n1..0 # SKIP none\n')).toEqual([])
})

test('text of every format may be UTF-16, as shells of Windows write it', () => {
  const texts = [
    '1..1\nok 1 - a\n',
    '{"Action":"pass","Package":"p","Test":"a"}\n',
    '{"results":{"tests":[{"name":"a","status":"passed"}]}}',
  ]
  for (const text of texts) {
    const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
    expect(readReport(bytes, undefined, reportLimits.cases).cases).toEqual(read(text))
    expect(read(text)).toHaveLength(1)
  }
})

describe('go test -json', () => {
  test('is told by its events, whatever the build said before', () => {
    const lines = ['go: downloading example.org/x v1.0.0', '{"Action":"pass","Package":"p","Test":"T"}', '']
    expect(read(lines.join('\n'))).toMatchObject([{ name: 'T', status: 'passed' }])
  })

  test('the last end of a test counts, and half a line is half a report', () => {
    const event = (Action: string) => JSON.stringify({ Action, Package: 'p', Test: 'T' })
    expect(read([event('run'), event('fail'), event('run'), event('pass'), ''].join('\n'))[0]?.status).toBe('passed')
    expect(fault(() => read(`${event('run')}\n{"Action":"pa`))).toEqual(['cut', 2])
  })
})

describe('a file that ends early is cut, wherever it ends (evidence 2, rule 3)', () => {
  const one = { name: 'a é "b" \\', status: 'passed', duration: -1.5e3, flaky: true, retries: null, tags: [] }
  const ctrf = JSON.stringify({ reportFormat: 'CTRF', results: { tool: { name: 'x' }, tests: [one, one] } })
  const junit = `<?xml version="1.0"?><!-- a --><testsuites><testsuite name="s &amp; t"><testcase name="a"><failure
    message="m">x<![CDATA[ y ]]></failure></testcase></testsuite></testsuites>`
  test.each([
    ['CTRF', ctrf],
    ['CTRF in lines', JSON.stringify(JSON.parse(ctrf), null, 2)],
    ['JUnit', junit],
  ])('%s', (_, whole) => {
    expect(fault(() => read(whole))).toBeUndefined()
    const ends = Array.from({ length: whole.length - 1 }, (_, index) => index + 1)
    const reasons = new Set(ends.map(end => fault(() => read(whole.slice(0, end)))?.[0]))
    expect([...reasons]).toEqual(['cut'])
  })

  test('what is wrong before its end is malformed', () => {
    expect(fault(() => read(ctrf.replace('"status":', '"status"')))?.[0]).toBe('malformed')
    expect(fault(() => read(`${ctrf}}`))?.[0]).toBe('malformed')
  })
})

test('more cases than a report may have', () => {
  expect(fault(() => readReport(Buffer.from('1..2\nok 1\nok 2\n'), undefined, 1))?.[0]).toBe('too_many')
})
