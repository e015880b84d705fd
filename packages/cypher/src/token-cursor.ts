import type { Name } from './ast.ts'
import { CypherError } from './cypher-error.ts'
import type { Token } from './tokens.ts'

/** Reads tokens from left to right. */
export class TokenCursor {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** The token that comes next; at the end of the text the last, of kind `end`. */
  get token(): Token {
    return this.#tokens[this.#at]!
  }

  /** The token that was taken last. */
  get previous(): Token {
    return this.#tokens[this.#at - 1]!
  }

  next(): Token {
    return this.#tokens[this.#at++]!
  }

  /** @throws CypherError with the place of the token that comes next */
  fail(message: string): never {
    const { kind, text, position } = this.token
    const found = kind === 'end' ? 'the end' : JSON.stringify(text)
    throw new CypherError(`${message} Found ${found}.`, position)
  }

  is(symbol: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead]
    return token?.kind === 'symbol' && token.text === symbol
  }

  take(symbol: string): boolean {
    const found = this.is(symbol)
    if (found) this.#at++
    return found
  }

  /** @throws CypherError when another token comes next */
  expect(symbol: string): void {
    if (!this.take(symbol)) this.fail(`${JSON.stringify(symbol)} should stand here.`)
  }

  /** @param word in upper case */
  isWord(word: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead]
    return token?.kind === 'word' && token.text.toUpperCase() === word
  }

  takeWord(word: string): boolean {
    const found = this.isWord(word)
    if (found) this.#at++
    return found
  }

  /** @throws CypherError when another token comes next */
  expectWord(word: string): void {
    if (!this.takeWord(word)) this.fail(`${word} should stand here.`)
  }

  /** @throws CypherError when no name comes next */
  name(what: string): Name {
    if (this.token.kind !== 'word') this.fail(`The name of ${what} should stand here.`)
    const { text, position } = this.next()
    return { name: text, position }
  }
}
