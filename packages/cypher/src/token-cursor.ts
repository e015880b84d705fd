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

  /** The next token; at the end of the text, the one of kind `end`. */
  get token(): Token {
    return this.#tokens[this.#at]!
  }

  /** The last token taken. */
  get previous(): Token {
    return this.#tokens[this.#at - 1]!
  }

  next(): Token {
    return this.#tokens[this.#at++]!
  }

  /** @throws CypherError with the position of the next token */
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

  /** @throws CypherError if the next token is a different one */
  expect(symbol: string): void {
    if (!this.take(symbol)) this.fail(`Expected ${JSON.stringify(symbol)}.`)
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

  /** @throws CypherError if the next token is a different one */
  expectWord(word: string): void {
    if (!this.takeWord(word)) this.fail(`Expected ${word}.`)
  }

  /** @throws CypherError when the next token is not a name */
  name(expected: string): Name {
    if (this.token.kind !== 'word') this.fail(`Expected the name of ${expected}.`)
    const { text, position } = this.next()
    return { name: text, position }
  }
}
