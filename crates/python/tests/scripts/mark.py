# a byte order mark

class Tool:
    """Doc.

        text \N{BULLET} (((
    """
    @staticmethod
    def run(): pass

run = Tool.run \
    if True else None
