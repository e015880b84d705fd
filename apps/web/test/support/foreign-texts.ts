import type { Page } from 'playwright-core'

/** Runs in the page. Skips the options of lists, which the browser itself isolates. */
const scriptFor = (texts: readonly string[]): string => `(() => {
  const foreign = new Set(${JSON.stringify(texts)})
  const bare = []
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) {
    const { textContent, parentElement } = nodes.currentNode
    const text = textContent.trim()
    if (!foreign.has(text) || parentElement.closest('bdi, [dir="auto"], option') !== null) continue
    bare.push(parentElement.tagName.toLowerCase() + '.' + parentElement.className + ': ' + text)
  }
  return bare
})()`

/** The texts of people and agents on a page whose direction depends on the text around them, each with its location. */
export const bareTexts = (page: Page, texts: readonly string[]): Promise<string[]> => page.evaluate(scriptFor(texts))
