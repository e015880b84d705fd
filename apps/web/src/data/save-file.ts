/** How long the browser may take to begin with a file, ms. */
const keptMs = 60_000

const named = /filename="?([^";]+)/

/**
 * Saves the file of an answer, as a link to it would: a link sends no second half of a session (walls 8).
 * @param name what the answer calls it, if there is none
 */
export async function saveFile(answer: Response, name?: string): Promise<void> {
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name ?? named.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? ''
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), keptMs)
}
