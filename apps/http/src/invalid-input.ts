import { type IssueItem, issueItem } from '@specboard/contract'

/** Invalid input, found while it was read: 422 with one item for each fault. */
export class InvalidInput extends Error {
  readonly items: readonly IssueItem[]

  constructor(items: readonly IssueItem[]) {
    super(items.map(({ msg }) => msg).join('; '))
    this.items = items
  }
}

/** A body that does not follow RFC 7578; the message says what is wrong. */
export class MalformedMultipart extends InvalidInput {
  constructor(message: string) {
    super([issueItem(['body'], 'value_error', message)])
  }
}
