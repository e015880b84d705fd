import { parseArgs } from 'node:util'

/** The options of a scenario with their defaults, whose types are those of the values. */
export type Options = Readonly<Record<string, number | string | boolean>>

/** The command-line options of a scenario. */
export interface OptionValues<Values extends Options> {
  readonly options?: Values
  /** The option that words without dashes set. */
  readonly word?: keyof Values & string
  /** The values of `--short`. */
  readonly short?: Partial<Values>
}

/** Options that every scenario takes. */
const commonOptions = {
  /** `sqlite` or `postgres`. */
  engine: 'sqlite',
  /** Prints the figures as JSON at the end, and nothing else on standard output. */
  json: false,
  /** Measures fewer things, or for a shorter time. */
  short: false,
  /** The command line of an installed package, which is started instead of the clone's. */
  main: '',
  help: false,
} satisfies Options

const inDashes = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/**
 * The values of a command line; options that it does not contain have their defaults.
 * @throws Error for an unknown option, and for a value that is not a number if the option is one
 */
export function readOptions<Values extends Options>(
  { options, word, short }: OptionValues<Values>,
  words: readonly string[],
): Values & typeof commonOptions {
  const defaults: Options = { ...commonOptions, ...options }
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: word !== undefined,
    options: Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [
        inDashes(name),
        { type: typeof value === 'boolean' ? 'boolean' : 'string' } as const,
      ]),
    ),
  })
  if (word !== undefined && positionals.length > 0) values[inDashes(word)] = positionals.join(' ')
  const overrides = Object.entries(defaults).flatMap(([name, value]) => {
    const raw = values[inDashes(name)]
    return raw === undefined ? [] : [[name, typeof value === 'number' ? numberOf(name, String(raw)) : raw]]
  })
  return { ...defaults, ...(values.short && short), ...Object.fromEntries(overrides) } as Values & typeof commonOptions
}

function numberOf(name: string, text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number) || number < 0)
    throw new Error(`--${inDashes(name)} takes a number, not "${text}".`)
  return number
}

/** The numbers of a list such as `1000,10000`. */
export const numbersOf = (name: string, list: string): number[] => list.split(',').map(number => numberOf(name, number))

/** The options of a scenario as a usage line shows them. */
export const usageOf = ({ options = {}, word }: OptionValues<Options>): string =>
  Object.entries(options)
    .map(([name, value]) => {
      const option = `--${inDashes(name)}${value === false ? '' : `=${value === '' ? '…' : value}`}`
      return name === word ? `[${name}${value === '' ? '' : `, ${value} by default`}]` : `[${option}]`
    })
    .join(' ')
