/** `isPublicUrl`: hosts of private networks, in each form in which a URL can write them. */
import { isPublicUrl } from 'lapidary/webhooks'
import { expect, test } from 'vitest'

test.each([
  'https://shop.example/hooks',
  'http://shop.example:8080/',
  'https://1.1.1.1/',
  'https://11.0.0.1/',
  'https://172.15.255.255/',
  'https://172.32.0.0/',
  'https://100.63.255.255/',
  'https://223.255.255.255/',
  'https://[2606:4700:4700::1111]/',
  'https://local.shop.example/',
])('%s is public', (url) => {
  expect(isPublicUrl(new URL(url))).toBe(true)
})

test.each([
  'http://localhost/',
  'http://LOCALHOST:8080/',
  'http://a.localhost/',
  'http://localhost./',
  'http://intranet/',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://router.home.arpa/',
  'http://git.corp/',
  'http://nas.lan/',
  'http://wiki.intranet/',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456::1]/',
  'http://[fe80::1]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[2002:7f00:1::]/',
  'http://①②⑦.0.0.1/',
  'ftp://shop.example/',
  'file:///etc/passwd',
  'javascript:alert(1)',
])('%s is not', (url) => {
  expect(isPublicUrl(new URL(url))).toBe(false)
})
