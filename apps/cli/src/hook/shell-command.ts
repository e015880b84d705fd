/**
 * What a shell command line runs (harness 3.4). Pure, and linear in the text. It parses the grammar of POSIX shells as
 * far as needed to tell which programs run and whether the exit code is the last one's; anything else is marked as not
 * plain.
 */

/** A simple command: the words of one program. */
export interface SimpleCommand {
  readonly words: readonly Word[]
  /** Where it begins and ends in the text. */
  readonly from: number
  readonly to: number
  /** The joint before it; `inside` a substitution or group. */
  readonly after: Joint | 'inside'
}

/** A word of a command, without its quotes. */
export interface Word {
  readonly text: string
  /** Whether it is known: it contains no variable and no substitution. */
  readonly isPlain: boolean
  readonly from: number
  readonly to: number
}

/** The joint between two commands. */
export type Joint = 'start' | '&&' | '||' | ';' | '|' | '&'

/** A parsed command line. */
export interface CommandLine {
  readonly commands: readonly SimpleCommand[]
  /** Whether everything was parsed, and it consists only of lists and pipelines of simple commands. */
  readonly isPlain: boolean
  /** The joint at the end of the text, after the last command. */
  readonly end: Joint | undefined
}

/** The words with which shell constructs other than simple commands begin. */
const reserved: ReadonlySet<string> = new Set(
  '! { } [[ case coproc do done elif else esac fi for function if in select then until while'.split(' '),
)

/** How deep substitutions may be nested. */
const deepest = 8

/** Reads a command line. */
export function readCommandLine(text: string): CommandLine {
  const reader = new Reader(text)
  reader.read(text.length, 0)
  return reader.line()
}

const blank = /[ \t\r]/

class Reader {
  readonly #text: string
  readonly #commands: SimpleCommand[] = []
  #at = 0
  #isPlain = true
  #end: Joint | undefined

  constructor(text: string) {
    this.#text = text
  }

  line(): CommandLine {
    return { commands: this.#commands, isPlain: this.#isPlain, end: this.#end }
  }

  /** Reads a list up to a position, or to the `)` that ends a substitution. */
  read(to: number, depth: number): void {
    const inner = depth > 0
    let words: Word[] = []
    let joint: Joint = 'start'
    let from = this.#at
    const finish = (next: Joint | undefined) => {
      if (words.length > 0) this.#add({ words, from, to: this.#at, after: inner ? 'inside' : joint })
      // Two joints in a row: an empty line, or a syntax error.
      else if (next !== undefined && next !== ';') this.#isPlain = false
      if (!inner) this.#end = words.length > 0 || joint === ';' ? next : this.#end
      if (words.length > 0 && next !== undefined) joint = next
      words = []
    }
    while (this.#at < to) {
      const here = this.#text[this.#at]!
      if (blank.test(here)) this.#at++
      else if (here === '#' && words.at(-1)?.to !== this.#at) this.#skipComment(to)
      else if (here === ')') {
        finish(undefined)
        if (inner) return
        this.#isPlain = false
        this.#at++
      } else if (here === '(') this.#group(to, depth)
      else if (here === '<' || here === '>') this.#redirect(to, depth)
      else {
        const next = this.#joint()
        if (next !== undefined) {
          finish(next.joint)
          this.#at += next.length
        } else if (here === '&') {
          // `&>` redirects both outputs to a file.
          this.#at++
          this.#redirect(to, depth)
        } else {
          const start = this.#at
          if (words.length === 0) from = start
          const word = this.#word(to, depth)
          // A number before a redirection is not a word: `2>&1`.
          const isNumber = /^\d+$/.test(word.text) && /[<>]/.test(this.#text[this.#at] ?? '')
          if (!isNumber) words.push(word)
        }
      }
    }
    finish(undefined)
    if (inner) this.#isPlain = false
  }

  #add(command: SimpleCommand): void {
    const [first] = command.words
    if (reserved.has(first!.text) && first!.isPlain) this.#isPlain = false
    this.#commands.push(command)
  }

  #joint(): { readonly joint: Joint; readonly length: number } | undefined {
    const [here, next] = [this.#text[this.#at], this.#text[this.#at + 1]]
    if (here === '\n' || here === ';') return { joint: ';', length: 1 }
    if (here === '&' && next === '&') return { joint: '&&', length: 2 }
    if (here === '|' && next === '|') return { joint: '||', length: 2 }
    if (here === '|') return { joint: '|', length: next === '&' ? 2 : 1 }
    return here === '&' && next !== '>' ? { joint: '&', length: 1 } : undefined
  }

  #skipComment(to: number): void {
    while (this.#at < to && this.#text[this.#at] !== '\n') this.#at++
  }

  /** A subshell, or a syntax error. */
  #group(to: number, depth: number): void {
    this.#isPlain = false
    this.#at++
    this.#nested(to, depth)
  }

  /** Reads from after a `(` to its `)`. */
  #nested(to: number, depth: number): void {
    if (depth >= deepest) {
      this.#isPlain = false
      this.#at = to
      return
    }
    this.read(to, depth + 1)
    if (this.#text[this.#at] === ')') this.#at++
    else this.#isPlain = false
  }

  #redirect(to: number, depth: number): void {
    const sign = /^(?:<<<|<<-?|<>|<&|>>|>&|>\||<|>)/.exec(this.#text.slice(this.#at, this.#at + 3))![0]
    this.#at += sign.length
    if (this.#text[this.#at] === '(') {
      // The output of another program: it has its own exit code, which nobody sees.
      this.#at++
      this.#nested(to, depth)
      return
    }
    // The following text would be taken for commands.
    if (sign.startsWith('<<') && sign !== '<<<') {
      this.#isPlain = false
      this.#at = to
      return
    }
    while (this.#at < to && blank.test(this.#text[this.#at]!)) this.#at++
    if (this.#at >= to || /[\n;&|<>()]/.test(this.#text[this.#at]!)) this.#isPlain = false
    else this.#word(to, depth)
  }

  #word(to: number, depth: number): Word {
    const from = this.#at
    let text = ''
    let isPlain = true
    while (this.#at < to) {
      const here = this.#text[this.#at]!
      if (/[\s;&|<>()]/.test(here)) break
      if (here === '\\') {
        const next = this.#text[this.#at + 1] ?? ''
        text += next === '\n' ? '' : next
        this.#at += 2
      } else if (here === "'") text += this.#quoted(to)
      else if (here === '"') {
        const inside = this.#doubleQuoted(to, depth)
        text += inside.text
        isPlain &&= inside.isPlain
      } else if (here === '$' || here === '`') {
        isPlain = false
        text += here
        this.#expansion(to, depth)
      } else {
        if (/[*?[{~]/.test(here)) isPlain = false
        text += here
        this.#at++
      }
    }
    this.#at = Math.min(this.#at, to)
    return { text, isPlain, from, to: this.#at }
  }

  /** A text in single quotes. */
  #quoted(to: number): string {
    const end = this.#text.indexOf("'", this.#at + 1)
    if (end === -1 || end >= to) {
      this.#isPlain = false
      const rest = this.#text.slice(this.#at + 1, to)
      this.#at = to
      return rest
    }
    const text = this.#text.slice(this.#at + 1, end)
    this.#at = end + 1
    return text
  }

  #doubleQuoted(to: number, depth: number): { readonly text: string; readonly isPlain: boolean } {
    let text = ''
    let isPlain = true
    this.#at++
    while (this.#at < to) {
      const here = this.#text[this.#at]!
      if (here === '"') {
        this.#at++
        return { text, isPlain }
      }
      if (here === '\\') {
        const next = this.#text[this.#at + 1] ?? ''
        text += '$`"\\'.includes(next) ? next : next === '\n' ? '' : here + next
        this.#at += 2
      } else if (here === '$' || here === '`') {
        isPlain = false
        text += here
        this.#expansion(to, depth)
      } else {
        text += here
        this.#at++
      }
    }
    this.#isPlain = false
    return { text, isPlain }
  }

  /** A variable, or a substitution whose commands are also read. */
  #expansion(to: number, depth: number): void {
    const next = this.#text[this.#at + 1]
    if (this.#text[this.#at] === '`') this.#backticks(to, depth)
    else if (next === '(') {
      this.#at += 2
      // `$((1 + 2))` is arithmetic.
      if (this.#text[this.#at] === '(') this.#isPlain = false
      this.#nested(to, depth)
    } else if (next === '{') {
      const end = this.#text.indexOf('}', this.#at)
      const inside = end === -1 ? '' : this.#text.slice(this.#at + 2, end)
      if (end === -1 || end >= to || /[$`"'\\(]/.test(inside)) this.#isPlain = false
      this.#at = end === -1 ? to : end + 1
    } else {
      // `$'…'` has escapes of its own.
      if (next === "'") this.#isPlain = false
      this.#at++
    }
  }

  #backticks(to: number, depth: number): void {
    const end = this.#text.indexOf('`', this.#at + 1)
    if (end === -1 || end >= to || depth >= deepest) {
      this.#isPlain = false
      this.#at = to
      return
    }
    if (this.#text.slice(this.#at, end).includes('\\')) this.#isPlain = false
    this.#at++
    const isPlain = this.#isPlain
    this.read(end, depth + 1)
    // The end of the inner text does not leave a substitution open.
    this.#isPlain = isPlain
    this.#at = end + 1
  }
}
