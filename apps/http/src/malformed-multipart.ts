import { issueItem } from '@specboard/contract'
import { InvalidInput } from '@specboard/domain'

/** A body that violates RFC 7578; the message says what is wrong. */
export class MalformedMultipart extends InvalidInput {
  constructor(message: string) {
    super([issueItem(['body'], 'value_error', message)])
  }
}
