export const GET = (): Response => new Response('The host.')
