import { styleText } from 'node:util'
import { ClientError } from '@specboard/client'

type Colour = 'green' | 'yellow' | 'cyan' | 'magenta' | 'blue' | 'gray'

const colours: Readonly<Record<string, Colour>> = {
  owner: 'gray',
  'spec writer': 'cyan',
  executor: 'blue',
  validator: 'magenta',
  qa: 'yellow',
}

/** Prints a heading for what happens next. */
export function scene(title: string): void {
  console.log(`\n${styleText('bold', title)}`)
}

/** Prints what an agent did, and the result. */
export function says(agent: string, did: string, result = ''): void {
  const name = styleText(colours[agent] ?? 'gray', agent.padEnd(12))
  console.log(`  ${name} ${did}${result === '' ? '' : styleText('gray', ` → ${result}`)}`)
}

/**
 * Makes a call that must be refused, and shows the refusal with what to do about it.
 * @throws Error when the call is not refused, or refused with another code
 */
export async function refused(agent: string, did: string, code: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== code) throw error
    const { message, ...rest } = error.detail as { message: string; error: string; [member: string]: unknown }
    const members = Object.entries(rest).filter(([name]) =>
      ['missing', 'allowed', 'permission', 'details', 'gate', 'fields'].includes(name),
    )
    says(agent, did, styleText('yellow', `${error.status} ${code}`))
    console.log(`               ${shortened(message, 160)}`)
    for (const [name, value] of members)
      console.log(styleText('gray', `               ${name}: ${shortened(JSON.stringify(value))}`))
    return
  }
  throw new Error(`${agent}: ${did} should have been refused with ${code}.`)
}

/** A text cut to the width of a line. */
export const shortened = (text: string, most = 100): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
