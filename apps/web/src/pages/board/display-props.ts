/** The properties of a panel with the display options of cards. */
export interface DisplayProps {
  readonly query: URLSearchParams
  readonly anchor: HTMLElement
  readonly onChange: (query: URLSearchParams) => void
  readonly onClose: () => void
}
