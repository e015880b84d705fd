/** What a panel is given that says how cards are shown. */
export interface DisplayProps {
  readonly query: URLSearchParams
  readonly anchor: HTMLElement
  readonly onChange: (query: URLSearchParams) => void
  readonly onClose: () => void
}
