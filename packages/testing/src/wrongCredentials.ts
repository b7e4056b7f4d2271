/** The key, or the token, that `checkServer` sends as a wrong one, and that a mock rejects. */
export const wrongCredentials = 'wrong-credentials'
