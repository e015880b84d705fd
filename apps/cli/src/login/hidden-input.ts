/** A line that a person types invisibly, or that a program passes. */
import { Failure } from '../frame/failure.ts'
import { UsageError } from '../frame/usage-error.ts'

/** The maximum length of a key, including surrounding spaces. */
const maxCharacters = 1_000

/**
 * Asks a person at a terminal; the input is not shown.
 * @throws UsageError without a terminal; Failure if the person cancels
 */
export async function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY)
    throw new UsageError('There is no terminal to ask for the key. Hand it over on standard input with --key-stdin.')
  // Whoever sees the question may type at once.
  stdin.setRawMode(true)
  stderr.write(question)
  stdin.setEncoding('utf8')
  try {
    return await typedLine(stdin)
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}

/** The input up to the end of the line; Ctrl-C and Ctrl-D cancel. */
async function typedLine(input: AsyncIterable<string>): Promise<string> {
  let line = ''
  for await (const chunk of input)
    for (const character of chunk) {
      if (character === '\r' || character === '\n') return line
      if (character === '\u0003' || character === '\u0004') throw new Failure('GIVEN_UP', 'nothing was saved')
      if (character === '\u007f' || character === '\b') line = line.slice(0, -1)
      else if (line.length < maxCharacters) line += character
    }
  return line
}

/** The first line of standard input. */
export async function pipedLine(): Promise<string> {
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.includes('\n') || text.length > maxCharacters) break
  }
  return text.split('\n')[0]!
}
