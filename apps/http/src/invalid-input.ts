import { type IssueItem, issueItem } from '@specboard/contract'

/** Input that is not what it should be, found while it was being read: 422 with one item for each thing wrong. */
export class InvalidInput extends Error {
  readonly items: readonly IssueItem[]

  constructor(items: readonly IssueItem[]) {
    super(items.map(({ msg }) => msg).join('; '))
    this.items = items
  }
}

/** A body that does not follow RFC 7578; the message says where. */
export class MalformedMultipart extends InvalidInput {
  constructor(message: string) {
    super([issueItem(['body'], 'value_error', message)])
  }
}
