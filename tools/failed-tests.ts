/**
 * Lists the failed tests with their messages, from JSON reports of Vitest; a file that could not be loaded is listed as
 * a whole. The last line lists the files, separated by spaces; it is empty if none failed.
 *
 * Usage: node tools/failed-tests.ts report.json …
 */
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[] | null
    }[]
  }[]
}

/** How many lines of a message are shown: the expected and the received value, and the place. */
const shownLines = 12

const files = process.argv
  .slice(2)
  .filter(path => existsSync(path))
  .flatMap(path => (JSON.parse(readFileSync(path, 'utf8')) as Report).testResults)
  .filter(file => file.status === 'failed')
for (const file of files) {
  const path = relative(process.cwd(), file.name)
  const failed = file.assertionResults.filter(test => test.status === 'failed')
  if (failed.length === 0) {
    show(`failed: ${path}`, file.message)
  }
  for (const test of failed) {
    show(`failed: ${path}: ${test.fullName}`, test.failureMessages?.join('\n') ?? '')
  }
}
console.log([...new Set(files.map(file => relative(process.cwd(), file.name)))].join(' '))

function show(title: string, message: string): void {
  console.log(title)
  const lines = message
    .split('\n')
    .filter(line => !line.includes('/node_modules/') && !line.trim().startsWith('at new Promise'))
  for (const line of lines.slice(0, shownLines)) {
    console.log(`  ${line}`)
  }
}
