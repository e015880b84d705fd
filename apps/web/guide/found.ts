/** A section of a page, as the search in the browser reads it. */
export interface GuideSection {
  readonly id: number
  /** Relative to the guide. */
  readonly address: string
  readonly page: string
  readonly heading: string
  readonly text: string
}
