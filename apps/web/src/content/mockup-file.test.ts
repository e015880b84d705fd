import { expect, test } from 'vitest'
import { mockupIn } from './mockup-file.ts'

const file = (name: string, content: string, size = content.length) => ({
  name,
  size,
  text: async () => content,
  arrayBuffer: async () => new TextEncoder().encode(content).buffer as ArrayBuffer,
})

test('HTML is taken as it is, a picture stands in it', async () => {
  expect(await mockupIn(file('login.html', '<h1>Log in</h1>'))).toEqual({ source: '<h1>Log in</h1>' })
  expect(await mockupIn(file('a"b.PNG', 'abc'))).toEqual({
    source: '<img alt="a&quot;b.PNG" src="data:image/png;base64,YWJj">\n',
  })
})

test.each([
  [file('login.sketch', 'x'), /^“login.sketch” is not a mockup/],
  [file('login.png', 'x', (1 << 20) + 1), /larger than 1 MB/],
  [file('login.html', ' '), /^login.html: .*empty/],
])('another file is refused in words', async (wrong, says) => {
  expect(await mockupIn(wrong)).toEqual({ fault: expect.stringMatching(says) })
})
