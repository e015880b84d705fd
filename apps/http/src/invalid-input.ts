import { type IssueItem, issueItem } from '@specboard/contract'

/** Input found to be invalid while it was being read: 422 with one item for each problem. */
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
