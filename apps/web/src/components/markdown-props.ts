export interface MarkdownProps {
  readonly text: string
  /** Toggles the box at a given index among the task lists; without it they cannot be ticked. Rejects if refused. */
  readonly onTick?: ((place: number) => Promise<void>) | undefined
}
