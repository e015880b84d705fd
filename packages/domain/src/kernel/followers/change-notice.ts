/** What may have happened, on this node or another one. A member is missing if nothing of its kind has happened. */
export interface ChangeNotice {
  /** Boards with new entries in their logs. */
  readonly events?: ReadonlySet<string>
  /** Boards on which something else was called. */
  readonly calls?: ReadonlySet<string>
  /** The board and id of each webhook that was changed or has something to send. */
  readonly webhooks?: ReadonlySet<string>
  /** Each person whose notifications were changed, or to whom something must be sent. */
  readonly channels?: ReadonlySet<string>
  /** Each agent whose inbox changed without a log entry. */
  readonly inboxes?: ReadonlySet<string>
  /** Whether somebody may see other boards than before. */
  readonly access?: boolean
  /** Whether an agent may have changed. */
  readonly agents?: boolean
  /** Whether the runtime settings may have changed. */
  readonly settings?: boolean
  /** Whether another node released something that only one node at a time may hold. */
  readonly leases?: boolean
  /** Whether there may be more to take than before, because a node has ended or released something. */
  readonly freed?: boolean
  /** Whether this node could not hear the others for a while. */
  readonly unheard?: boolean
}
