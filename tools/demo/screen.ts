import { styleText } from 'node:util'

type Colour = 'green' | 'yellow' | 'cyan' | 'magenta' | 'blue' | 'gray'

const colours: Readonly<Record<string, Colour>> = {
  owner: 'gray',
  planner: 'cyan',
  'executor 1': 'blue',
  'executor 2': 'green',
  validator: 'magenta',
  'executor 3': 'yellow',
  'CI shop': 'cyan',
  forge: 'green',
}

/** Prints a heading for what happens next. */
export function scene(title: string): void {
  console.log(`\n${styleText('bold', title)}`)
}

/** Prints what an agent did, and the result. */
export function printStep(agent: string, did: string, result = ''): void {
  const name = styleText(colours[agent] ?? 'gray', agent.padEnd(12))
  console.log(`  ${name} ${did}${result === '' ? '' : styleText('gray', ` → ${result}`)}`)
}

/** Prints the refusal of an agent's call. */
export function printRefusal(agent: string, did: string, { status, detail }: Readonly<Record<string, unknown>>): void {
  const { error = 'VALIDATION_ERROR', message = detail } = detail as Readonly<Record<string, unknown>>
  printStep(agent, `calls ${did}`, styleText('yellow', `${status} ${error}`))
  console.log(`               ${shortened(typeof message === 'string' ? message : JSON.stringify(message), 160)}`)
}

/** A text cut to the width of a line. */
export const shortened = (text: string, max = 100): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > max ? `${line.slice(0, max - 1)}…` : line
}
